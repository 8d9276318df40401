import { applyDecorators } from '@nestjs/common';
import { LONGEST_GROUP_NAME } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import {
  CONTROLS,
  FORMATS,
  GROUP_NAME,
  hasAddressCharacters,
  IGNORABLES,
  isNewPassword,
  LONGEST_ADDRESS,
  LONGEST_PASSWORD,
  SHORTEST_PASSWORD,
} from '@parlance/config';
import { IsEmail, IsString, Length, Matches, ValidateBy } from 'class-validator';
import { plain, seen, withoutControls } from '../domain/legible.ts';

const fillers = String.raw`${IGNORABLES}\u2800`;

const Obeys = (rule: RegExp, schema: object, message: string) => Matches(rule, { context: { schema }, message });
const IsPlain = (schema: object) => Obeys(plain, schema, 'must have no control characters or other invisible characters');

export const addressPattern = `^[^%${CONTROLS}${FORMATS}${IGNORABLES}]+$`;
export const givenAddressPattern = `^[^${CONTROLS}${FORMATS}]+$`;

/** An address that a user may have. */
export const IsAddress = () =>
  applyDecorators(
    IsEmail(),
    Length(3, LONGEST_ADDRESS),
    ValidateBy(
      { name: 'isAddress', validator: { validate: (text) => typeof text === 'string' && hasAddressCharacters(text) } },
      { context: { schema: { pattern: addressPattern } }, message: 'must not contain % or invisible characters' },
    ),
  );

/** An address to sign in with. Users of earlier releases may have addresses that are refused for new users. */
export const IsGivenAddress = () => applyDecorators(IsEmail(), Length(3, LONGEST_ADDRESS), IsPlain({ pattern: givenAddressPattern }));

/** A new password. */
export const IsNewPassword = () => Length(SHORTEST_PASSWORD, LONGEST_PASSWORD);

/** A password to check, of any length that a password may have. */
export const IsPassword = () => Length(1, LONGEST_PASSWORD);

/** Described like `IsNewPassword` in the OpenAPI document, but checked by the handler with `requireNewPassword`, after other checks. */
export const IsNewPasswordLater = () =>
  IsString({ context: { schema: { type: 'string', minLength: SHORTEST_PASSWORD, maxLength: LONGEST_PASSWORD } } });

/** Throws the refusal `invalid_body`, as `IsNewPassword` does. */
export function requireNewPassword(path: string, text: string): void {
  if (isNewPassword(text)) return;
  const message = `must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;
  throw refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
}

/** The pattern in the OpenAPI document. It combines the two rules of `IsName`. */
export const namePattern = `^[^${CONTROLS}]*[^\\s${CONTROLS}${FORMATS}${fillers}][^${CONTROLS}]*$`;

/** First or last name, with at least one visible character. */
export const IsName = () =>
  applyDecorators(
    Length(1, 100),
    Obeys(withoutControls, { pattern: namePattern }, 'must have no control character'),
    Obeys(seen, {}, 'must not be blank'),
  );

export const IsGroupName = () =>
  applyDecorators(
    Length(1, LONGEST_GROUP_NAME),
    Matches(GROUP_NAME, { message: 'must not contain commas or invisible characters, or begin or end with a space' }),
    IsPlain({}),
  );
