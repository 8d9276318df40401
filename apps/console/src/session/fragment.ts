/** The parts of `window` that are used here. */
interface Place {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string };
  readonly history: { readonly state: unknown; replaceState(state: unknown, unused: string, url: string): void };
}

let kept = '';

/**
 * The part of the address after `#`, which holds secrets such as a password or a token. It is removed from the address and from the history
 * of the browser at once. Later calls return the same text until `forgetFragment`, because a page may be loaded again.
 */
export function takeFragment({ location, history } = globalThis as unknown as Place): string {
  const { hash, pathname, search } = location;
  if (hash.length > 1) {
    kept = hash.slice(1);
    history.replaceState(history.state, '', pathname + search);
  }
  return kept;
}

export function forgetFragment(): void {
  kept = '';
}
