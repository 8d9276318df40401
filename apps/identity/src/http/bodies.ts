import { applyDecorators } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { IsEmail, IsString, Length, Matches } from 'class-validator';
import { plain, seen, withoutControls } from '../domain/legible.ts';

// In the document, patterns say what the rules mean without Unicode's properties, which other languages write in other ways.
const controls = String.raw`\u0000-\u001f\u007f-\u009f`;
const formats = String.raw`\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb`;
const fillers = String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8`;

const Obeys = (rule: RegExp, schema: object, message: string) => Matches(rule, { context: { schema }, message });
const IsPlain = (schema: object) => Obeys(plain, schema, 'must have no control character and no other that is not seen');

export const addressPattern = `^[^${controls}${formats}]+$`;

/** An address that people can be written to: no longer than the mail standards allow. */
export const IsAddress = () => applyDecorators(IsEmail(), Length(3, 254), IsPlain({ pattern: addressPattern }));

const shortestPassword = 8;
const longestPassword = 1000;

/** A password that somebody chooses. */
export const IsNewPassword = () => Length(shortestPassword, longestPassword);

export const isNewPassword = (text: string): boolean => text.length >= shortestPassword && text.length <= longestPassword;

/** The same in the document, but checked by the handler with `requireNewPassword`, after what has to be checked first. */
export const IsNewPasswordLater = () =>
  IsString({ context: { schema: { type: 'string', minLength: shortestPassword, maxLength: longestPassword } } });

/** Throws the refusal `invalid_body`, as `IsNewPassword` does. */
export function requireNewPassword(path: string, text: string): void {
  if (isNewPassword(text)) return;
  const message = `must have ${shortestPassword} to ${longestPassword} characters`;
  throw refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
}

/** What the two rules of a name come to. */
export const namePattern = `^[^${controls}]*[^\\s${controls}${formats}${fillers}][^${controls}]*$`;

/** First or last name; something has to be seen of it. */
export const IsName = () =>
  applyDecorators(
    Length(1, 100),
    Obeys(withoutControls, { pattern: namePattern }, 'must have no control character'),
    Obeys(seen, {}, 'must not be blank'),
  );

/** One that commas can part, and that looks like what it is. */
const groupName = new RegExp(`^[^\\s,${controls}${formats}](?:[^,${controls}${formats}]*[^\\s,${controls}${formats}])?$`);
export const longestGroupName = 100;

export const isGroupName = (name: string): boolean => groupName.test(name) && plain.test(name);

export const IsGroupName = () =>
  applyDecorators(
    Length(1, longestGroupName),
    Matches(groupName, { message: 'must have no comma, no character that is not seen, and no space at either end' }),
    IsPlain({}),
  );
