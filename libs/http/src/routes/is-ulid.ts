import { Matches } from 'class-validator';
import { ULID_PATTERN } from './query.ts';

/** A field of a body that is a ULID. */
export const IsUlid = (): PropertyDecorator => Matches(new RegExp(ULID_PATTERN), { message: '$property must be a ULID' });
