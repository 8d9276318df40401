/** A stream of an answer in passing. */
export interface PassedStream {
  /** As the provider reports it. Null without a report. */
  readonly report: Readonly<Record<string, unknown>> | null;
  /** Whether the report is that of the end. */
  readonly isFinal: boolean;
  /** Whether the last event has come. The caller receives it only after the charge is recorded. */
  readonly hasLast: boolean;
  readonly bytes: number;
  /** Returns the bytes that the caller receives now. Throws `GenerationFailed` for a line that is too long. */
  pass(chunk: Buffer): Buffer;
  /** What the caller has not received when the stream ends. */
  end(): Buffer;
  /** The output, for counting. `share` of it is in `text`. */
  texts(): { readonly text: string; readonly share: number };
  /** Reads a report in the last event. */
  settle?(): Promise<void>;
}
