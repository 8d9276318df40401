interface Wanted {
  /** Makes the provider ask again even if the user is signed in there. */
  readonly isFresh?: boolean;
}

/** The address that begins a sign-in at a provider. The browser comes back to the page that continues the session of the cookie. */
export function providerAddress(startUrl: string, next: string | undefined, { isFresh = false }: Wanted = {}): string {
  const back = `/app/sign-in/done${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`;
  return `${startUrl}?${new URLSearchParams({ session: 'cookie', return_to: back, ...(isFresh && { fresh: 'true' }) })}`;
}
