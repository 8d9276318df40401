import { applyDecorators } from '@nestjs/common';
import { IsEmail, Length, Matches } from 'class-validator';

/** An address that people can be written to: no longer than the mail standards allow. */
export const IsAddress = () => applyDecorators(IsEmail(), Length(3, 254));

/** A password that somebody chooses. */
export const IsNewPassword = () => Length(8, 1000);

/** First or last name; something has to be seen of it. */
export const IsName = () => applyDecorators(Length(1, 100), Matches(/\S/, { message: 'must not be blank' }));

/** One that commas can part, and that looks like what it is. */
// oxlint-disable-next-line no-control-regex
export const groupName = /^[^\s,\u0000-\u001f\u007f-\u009f](?:[^,\u0000-\u001f\u007f-\u009f]*[^\s,\u0000-\u001f\u007f-\u009f])?$/;
export const longestGroupName = 100;

export const IsGroupName = () =>
  applyDecorators(
    Length(1, longestGroupName),
    Matches(groupName, { message: 'must have no comma, no control character, and no space at either end' }),
  );
