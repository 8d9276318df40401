/** The result of `match` if it depends on text that has not arrived. */
export const UNDECIDED = -1;
/** The result of `match` if nothing begins at the position. */
export const NONE = 0;

/** Code units before a position that may decide about a match there. Detectors read no further back. */
export const LOOKED_BACK = 64;

/**
 * Finds one kind of value. Whether a value begins at a position depends only on the `LOOKED_BACK` code units before it and on at most `reach`
 * code units from there on, so a text gives the same result whole and in parts.
 */
export interface Detector {
  readonly kind: Kind;
  /** The longest match, and the next code unit. The scanner holds back no more than this. */
  readonly reach: number;
  /** The first position from `from` on where a value may begin. The length of the text if there is none. */
  next(text: string, from: number): number;
  /** The end of the value that begins at `at`, `NONE` or `UNDECIDED`. */
  match(text: string, at: number, isEnd: boolean): number;
  /** Whether the code unit continues a value that was cut at `reach`. Absent if no value is longer. */
  continues?(code: number): boolean;
}

export type Kind = 'email' | 'phone' | 'iban' | 'payment_card' | 'national_id' | 'ip_address' | 'secret' | 'words' | 'placeholder';

/** A found value: `text.slice(start, end)`. */
export interface Span {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

/** Code units that all detectors of this process have read, and numbers that were parsed. Specs assert that they grow with the length of the text. */
export const work = { read: 0, parsed: 0 };
