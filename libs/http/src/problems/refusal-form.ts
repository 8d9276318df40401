import { SetMetadata } from '@nestjs/common';
import type { Problem } from './problem.ts';

export const REFUSAL_FORM = 'parlance:refusal-form';

/** How refusals are written where a standard has a form of its own for them. Status and headers stay what they are. */
export interface RefusalForm {
  readonly mediaType: string;
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  of(problem: Problem): object;
}

/** For a controller whose refusals are no problems of RFC 9457, wherever they come from: a handler, the reader of bodies, a time limit. */
export const RefusesAs = (form: RefusalForm): ClassDecorator => SetMetadata(REFUSAL_FORM, form);
