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
