import { IsIpRange, TOKEN_SCOPES, type TokenScope } from '@parlance/http';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt, IsOptional, IsPositive, Length, Max } from 'class-validator';
import type { TokenWish } from '../../workflows/personal-access.ts';

const LONGEST_DESCRIPTION = 200;
const MOST_RANGES = 50;
/** The end of the year 9999. A greater value is probably in milliseconds. */
const LATEST_EXPIRY_SECONDS = 253_402_300_799;

export class CreateTokenBody {
  @Length(1, LONGEST_DESCRIPTION) description!: string;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(TOKEN_SCOPES.length) @ArrayUnique() @IsIn(TOKEN_SCOPES, { each: true }) scopes!: TokenScope[];
  /** Absent for the latest time that the installation allows. */
  @IsOptional() @IsInt() @IsPositive() @Max(LATEST_EXPIRY_SECONDS) expires_at?: number;
  /** Empty: addresses are limited only by the settings of the installation. */
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_RANGES) @IsIpRange() allowed_ip_ranges?: string[];
}

export const wishOf = ({ description, scopes, expires_at, allowed_ip_ranges }: CreateTokenBody): TokenWish => ({
  description,
  scopes,
  ranges: allowed_ip_ranges ?? [],
  expiresAt: expires_at ?? undefined,
});
