/** Epoch seconds as the value of a `datetime-local` field, in the time zone of the browser. */
export function localTime(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const date = new Date(seconds * 1_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The value of a `datetime-local` field as epoch seconds; undefined while it is empty or incomplete. */
export function secondsOf(local: string): number | undefined {
  const millis = Date.parse(local);
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1_000);
}

/** The value of a `datetime-local` field as RFC 3339 in UTC, without a fraction; null while it is empty or incomplete. */
export function instantOf(local: string): string | null {
  const millis = Date.parse(local);
  return Number.isNaN(millis) ? null : new Date(millis).toISOString().replace(/\.\d+Z$/, 'Z');
}
