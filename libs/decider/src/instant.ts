declare const instant: unique symbol;

/** Milliseconds since the epoch. Branded, because times in the API are in seconds and the two are easily confused. */
export type Instant = number & { readonly [instant]: true };

export const Instant = {
  ofMillis: (millis: number): Instant => millis as Instant,
  ofSeconds: (seconds: number): Instant => Math.round(seconds * 1000) as Instant,
  /** Parses RFC 3339, the form of times in events' metadata. */
  parse: (text: string): Instant => Date.parse(text) as Instant,
  /** Whole seconds, the form of times in the API. */
  toSeconds: (at: Instant): number => Math.floor(at / 1000),
  toString: (at: Instant): string => new Date(at).toISOString(),
  plus: (at: Instant, millis: number): Instant => (at + millis) as Instant,
};
