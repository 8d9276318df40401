export interface WelcomeLink {
  readonly email: string;
  readonly password: string;
}

/** The parts of `<e-mail>/<password>`, each percent-encoded. Null if one is missing. */
export function welcomeLinkOf(fragment: string): WelcomeLink | null {
  const slash = fragment.indexOf('/');
  if (slash < 1 || slash === fragment.length - 1) return null;
  return { email: decoded(fragment.slice(0, slash)), password: decoded(fragment.slice(slash + 1)) };
}

/** A text that is not percent-encoded is used unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
