/** The address that begins a sign-in at a provider. The browser comes back to the page that continues the session of the cookie. */
export function providerAddress(startUrl: string, next: string | undefined): string {
  const back = `/app/sign-in/done${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`;
  return `${startUrl}?${new URLSearchParams({ session: 'cookie', return_to: back })}`;
}
