import { type Refusal, refuse, type Sentence } from '@parlance/decider';

export const invalidBody = (detail: Sentence): Refusal => refuse('invalid', 'invalid_body', detail);
export const invalidValue = (detail: Sentence): Refusal => refuse('invalid', 'invalid_value', detail);
export const invalidFilter = (detail: Sentence): Refusal => refuse('invalid', 'invalid_filter', detail);
export const invalidPath = (detail: Sentence): Refusal => refuse('invalid', 'invalid_path', detail);
export const noTarget = (detail: Sentence): Refusal => refuse('invalid', 'no_target', detail);
export const readOnly = (detail: Sentence): Refusal => refuse('invalid', 'read_only', detail);
