import { SetMetadata } from '@nestjs/common';
import type { Problem, Remedies } from './problem.ts';

export const REFUSAL_FORM = 'parlance:refusal-form';

/** The code of a refusal in another form, for services and proxies that do not read the body. */
export const CODE_HEADER = 'x-parlance-code';

/** A form of refusals that another standard defines. Status and headers do not change. */
export interface RefusalForm {
  readonly mediaType: string;
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  of(problem: Problem): object;
}

/** Schemas of the remedies, which all forms have. */
export const remediesSchema = {
  look_up: {
    type: 'string',
    description:
      'For `outcome_unknown` and `recorded_not_visible`: a path that GET serves, at which to look for the effect of the request. Absent if no path shows it.',
  },
  repeat_with: { type: 'string', description: 'For `outcome_unknown`: the `Idempotency-Key` with which the request can be repeated.' },
} as const;

export const remediesIn = ({ look_up, repeat_with }: Remedies): Remedies => ({
  ...(look_up && { look_up }),
  ...(repeat_with && { repeat_with }),
});

/** For a controller with its own form of refusals instead of RFC 9457. It applies to refusals from handlers, body parsing and time limits. */
export const RefusesAs = (form: RefusalForm): ClassDecorator => SetMetadata(REFUSAL_FORM, form);
