import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';

export const OwnFactors = z.object({
  required: z.boolean().describe('Whether a group of the user needs a second factor.'),
  proof_to_add: z
    .enum(['second_factor', 'password', 'recent_sign_in'])
    .describe(
      'The proof that is needed to add a second factor: a second factor proved in the last ten minutes, the field current_password, or a sign-in in the last ten minutes.',
    ),
  factors: z.array(
    z.object({
      factor_id: z.string(),
      kind: z.enum(['totp', 'passkey']),
      create_time: z.int().describe('Time in epoch seconds.'),
      name: z.string().optional().describe('Name of a passkey.'),
      backed_up: z.boolean().optional().describe('Whether the passkey was copied to an account or to other devices.'),
    }),
  ),
  recovery_codes_left: z.int(),
});
export type OwnFactors = z.infer<typeof OwnFactors>;

/** For administrators: without the names and IDs, which only the user sees. */
export const FactorsOfUser = z.object({
  required: z.boolean().describe('Whether a group of the user needs a second factor.'),
  factors: z.array(
    z.object({
      kind: z.enum(['totp', 'passkey']),
      create_time: z.int().describe('Time in epoch seconds.'),
      last_used_time: z.int().nullable().describe('Time in epoch seconds. Null if it was not used since it was added.'),
    }),
  ),
  recovery_codes_left: z.int(),
});
export type FactorsOfUser = z.infer<typeof FactorsOfUser>;

export const RecoveryCodesAnswer = z.object({
  recovery_codes: z.array(z.string()).optional().meta({
    'x-secret': true,
    description: 'Ten codes. Each replaces a second factor once. Only in this answer; absent if earlier codes remain valid.',
  }),
});
export type RecoveryCodesAnswer = z.infer<typeof RecoveryCodesAnswer>;

export const OfferedTotp = z.object({
  factor_id: z.string(),
  secret: z
    .string()
    .optional()
    .meta({ 'x-secret': true, description: 'Only in the first answer to a request. For the authenticator app, in Base32.' }),
  otpauth_uri: z.string().optional().meta({ 'x-secret': true, description: 'Only in the first answer to a request. For a QR code.' }),
});
export type OfferedTotp = z.infer<typeof OfferedTotp>;

nameSchemas({ SecondFactors: OwnFactors, SecondFactorsOfUser: FactorsOfUser, RecoveryCodes: RecoveryCodesAnswer, OfferedTotp });
