/** The name of a file, without its folders, as it was before an upload has encoded it. */
export function readableName(given: string): string {
  return lastPart(decoded(lastPart(given)));
}

const lastPart = (path: string): string => path.slice(path.search(/[^/\\]*$/));

/** A name that is not encoded may have a `%`, too. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
