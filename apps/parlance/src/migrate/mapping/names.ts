/** The name of a file without its folders, as it was before the upload encoded it. */
export function readableName(raw: string): string {
  return lastPart(decoded(lastPart(raw)));
}

const lastPart = (path: string): string => path.slice(path.search(/[^/\\]*$/));

/** A name that is not encoded may also contain a `%`. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
