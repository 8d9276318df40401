import type { Draft } from './draft.ts';

/** The props of each section of the editor. */
export interface SectionProps {
  readonly draft: Draft;
  /** Replaces some of the fields. */
  readonly change: (part: Partial<Draft>) => void;
  /** Errors of fields by their paths in the body. */
  readonly errors: Readonly<Record<string, string>>;
}

/** A number field gives NaN when it is empty. */
export const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
