import { modelName, PROVIDER_TYPES } from '@parlance/config';
import { MAX_URL } from '@parlance/guarded-fetch';
import { ChangesFields, MayBeLeftOut, MayBeNull } from '@parlance/http';
import { IsIn, IsInt, IsOptional, Matches, Max, MaxLength, Min } from 'class-validator';
import type { Credentials } from '../../../adapters/catalogue/managed-parts.ts';
import type { ManagedProviderType, ProviderTerms } from '../../../domain/catalogue/managed-catalogue.ts';

export const MANAGED_TYPES = Object.keys(PROVIDER_TYPES).filter((type): type is ManagedProviderType => type !== 'local');

const LONGEST_SECONDS = 3_600;
const MOST_CALLS = 100_000;

export const IsCatalogueName = () =>
  Matches(modelName, { message: 'must be a name of at most 200 letters, digits and . _ : / @ -, which begins with a letter or a digit' });
const IsKey = (most: number) =>
  Matches(new RegExp(`^[!-~]{1,${most}}$`), { message: `must be a key of at most ${most} characters without spaces` });
/** As in the configuration, where credentials in an address would be printed with it. */
const BASE_URL = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/;
const IsBaseUrl = () => Matches(BASE_URL, { message: 'must be an http or https address without credentials, query or fragment' });

class ProviderFields {
  @MayBeNull() @MaxLength(MAX_URL) @IsBaseUrl() base_url?: string | null;
  @MayBeNull() @Matches(/^[A-Za-z0-9-]{1,64}$/, { message: 'must be a region name such as us-east-1' }) region?: string | null;
  @IsOptional() @IsKey(1_000) api_key?: string;
  @IsOptional() @IsKey(256) access_key_id?: string;
  @IsOptional() @IsKey(1_024) secret_access_key?: string;
  @IsOptional() @IsInt() @Min(1) @Max(MOST_CALLS) max_concurrent_calls?: number;
  @IsOptional() @IsInt() @Min(1) @Max(LONGEST_SECONDS) queue_timeout_seconds?: number;
  @IsOptional() @IsInt() @Min(1) @Max(LONGEST_SECONDS) first_token_timeout_seconds?: number;
  @IsOptional() @IsInt() @Min(1) @Max(LONGEST_SECONDS) token_timeout_seconds?: number;
}

export class NewProviderBody extends ProviderFields {
  @IsCatalogueName() id!: string;
  @IsIn(MANAGED_TYPES) type!: ManagedProviderType;
}

@MayBeLeftOut()
@ChangesFields()
export class ChangeProviderBody extends ProviderFields {
  @IsOptional() @IsIn(MANAGED_TYPES) type?: ManagedProviderType;
}

/** The terms that a body has. */
export function termsIn(body: ChangeProviderBody): Partial<ProviderTerms> {
  const { type, base_url, region, max_concurrent_calls, queue_timeout_seconds, first_token_timeout_seconds, token_timeout_seconds } = body;
  return {
    ...(type != null && { type }),
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(region !== undefined && { region }),
    ...(max_concurrent_calls != null && { maxConcurrentCalls: max_concurrent_calls }),
    ...(queue_timeout_seconds != null && { queueTimeoutSeconds: queue_timeout_seconds }),
    ...(first_token_timeout_seconds != null && { firstTokenTimeoutSeconds: first_token_timeout_seconds }),
    ...(token_timeout_seconds != null && { tokenTimeoutSeconds: token_timeout_seconds }),
  };
}

/** Null if a body has none. Null fields too would mean that no credentials are given. */
export function credentialsIn({ api_key, access_key_id, secret_access_key }: ProviderFields): Partial<Credentials> | null {
  if (api_key == null && access_key_id == null && secret_access_key == null) return null;
  return {
    ...(api_key != null && { api_key }),
    ...(access_key_id != null && { access_key_id }),
    ...(secret_access_key != null && { secret_access_key }),
  };
}
