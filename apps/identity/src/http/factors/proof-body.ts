import { applyDecorators } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { MayBeLeftOut } from '@parlance/http';
import { IsOptional, Length, Matches, ValidateBy } from 'class-validator';
import {
  type AssertionJson,
  assertionSchema,
  isAssertion,
  isRegistration,
  registrationSchema,
} from '../../adapters/factors/webauthn-json.ts';
import { IsPassword } from '../bodies.ts';

/** The code of an authenticator app. */
export const IsCode = () => applyDecorators(Matches(/^[0-9]{6}$/, { message: 'must be six digits' }));
const LONGEST_RECOVERY_CODE = 40;
const LONGEST_CHALLENGE_TOKEN = 1_000;

export const IsChallengeToken = () => Length(1, LONGEST_CHALLENGE_TOKEN);

const IsWebAuthn = (name: string, validate: (value: unknown) => boolean, schema: object): PropertyDecorator =>
  ValidateBy({ name, validator: { validate } }, { message: 'must be an authenticator response as JSON', context: { schema } });

export const IsRegistration = () => IsWebAuthn('isRegistration', isRegistration, registrationSchema);
export const IsAssertion = () => IsWebAuthn('isAssertion', isAssertion, assertionSchema);

@MayBeLeftOut()
export class AddFactorBody {
  /** Needed to add the first second factor of a user with a password. */
  @IsOptional() @IsPassword() current_password?: string;
}

/** Exactly one of the fields. */
export class ProofBody {
  @IsOptional() @IsCode() code?: string;
  @IsOptional() @Length(1, LONGEST_RECOVERY_CODE) recovery_code?: string;
  @IsOptional() @IsAssertion() passkey?: AssertionJson;
}

/** Throws the refusal `invalid_body`. */
export function requireOneProof({ code, recovery_code, passkey }: ProofBody): void {
  const given = [code, recovery_code, passkey].filter((proof) => proof !== undefined && proof !== null);
  if (given.length === 1) return;
  const message = 'must be present, unless recovery_code or passkey is: exactly one of the three';
  throw refuse('invalid', 'invalid_body', `The field code ${message}.`, { errors: [{ path: 'code', message }] });
}
