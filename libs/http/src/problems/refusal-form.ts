import { SetMetadata } from '@nestjs/common';
import type { Problem } from './problem.ts';

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

/** For a controller with its own form of refusals instead of RFC 9457. It applies to refusals from handlers, body parsing and time limits. */
export const RefusesAs = (form: RefusalForm): ClassDecorator => SetMetadata(REFUSAL_FORM, form);
