import { applyDecorators } from '@nestjs/common';
import { LONGEST_GROUP_NAME } from '@parlance/contracts';
import { refuse } from '@parlance/decider';
import { CONTROLS, FORMATS, GROUP_NAME, isNewPassword, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@parlance/service-kit';
import { IsEmail, IsString, Length, Matches } from 'class-validator';
import { plain, seen, withoutControls } from '../domain/legible.ts';

const fillers = String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8`;

const Obeys = (rule: RegExp, schema: object, message: string) => Matches(rule, { context: { schema }, message });
const IsPlain = (schema: object) => Obeys(plain, schema, 'must have no control character and no other that is not seen');

export const addressPattern = `^[^${CONTROLS}${FORMATS}]+$`;

/** An address that people can be written to: no longer than the mail standards allow. */
export const IsAddress = () => applyDecorators(IsEmail(), Length(3, 254), IsPlain({ pattern: addressPattern }));

/** A password that somebody chooses. */
export const IsNewPassword = () => Length(SHORTEST_PASSWORD, LONGEST_PASSWORD);

/** A password that is to be compared with one: of any that there may be. */
export const IsPassword = () => Length(1, LONGEST_PASSWORD);

/** The same in the document, but checked by the handler with `requireNewPassword`, after what has to be checked first. */
export const IsNewPasswordLater = () =>
  IsString({ context: { schema: { type: 'string', minLength: SHORTEST_PASSWORD, maxLength: LONGEST_PASSWORD } } });

/** Throws the refusal `invalid_body`, as `IsNewPassword` does. */
export function requireNewPassword(path: string, text: string): void {
  if (isNewPassword(text)) return;
  const message = `must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;
  throw refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
}

/** What the two rules of a name come to. */
export const namePattern = `^[^${CONTROLS}]*[^\\s${CONTROLS}${FORMATS}${fillers}][^${CONTROLS}]*$`;

/** First or last name; something has to be seen of it. */
export const IsName = () =>
  applyDecorators(
    Length(1, 100),
    Obeys(withoutControls, { pattern: namePattern }, 'must have no control character'),
    Obeys(seen, {}, 'must not be blank'),
  );

export const IsGroupName = () =>
  applyDecorators(
    Length(1, LONGEST_GROUP_NAME),
    Matches(GROUP_NAME, { message: 'must have no comma, no character that is not seen, and no space at either end' }),
    IsPlain({}),
  );
