import { z } from 'zod';

/** The texts about a user besides the e-mail address. Like the address, they are sealed in storage. */
export const profileFields = { first_name: z.string(), last_name: z.string() };

/** A user as the user and administrators see it. Identity returns it to other services. */
export const Person = z.object({
  user_id: z.string(),
  email: z.string(),
  email_verified: z
    .boolean()
    .describe('Whether an OpenID Connect provider, a SCIM client, an administrator or the link in a mail has verified the e-mail address.'),
  ...profileFields,
  groups: z.array(z.string()).readonly(),
  enabled: z.boolean(),
  create_time: z.int().describe('Time in epoch seconds.'),
  last_sign_in_time: z.int().nullable().describe('Time in epoch seconds.'),
});
export type Person = z.infer<typeof Person>;

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Chinese, Japanese and Korean names begin with the family name, whatever the language of the reader. The console has the same rule. */
export const fullName = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>): string =>
  EAST_ASIAN.test(first_name + last_name) ? last_name + first_name : `${first_name} ${last_name}`.trim();
