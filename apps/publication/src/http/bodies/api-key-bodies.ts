import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsOptional, IsPositive, Length, Max, Min } from 'class-validator';
import { ChangesFields, IsIpRange, MayBeNull } from '@parlance/http';

const LONGEST_DESCRIPTION = 200;
const MOST_RANGES = 50;
/** The end of the year 9999. A greater value is probably in milliseconds. */
const LATEST_EXPIRY_SECONDS = 253_402_300_799;

export class CreateApiKeyBody {
  @Length(1, LONGEST_DESCRIPTION) description!: string;
  @IsOptional() @IsInt() @IsPositive() @Max(LATEST_EXPIRY_SECONDS) expires_at?: number;
  /** Empty: addresses are limited only by the settings of the installation. */
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_RANGES) @IsIpRange() allowed_ip_ranges?: string[];
}

@ChangesFields()
export class ChangeApiKeyBody {
  @IsOptional() @Length(1, LONGEST_DESCRIPTION) description?: string;
  @IsOptional() @IsBoolean() enabled?: boolean;
  /** Null removes the expiry. */
  @MayBeNull() @IsInt() @Min(1) @Max(LATEST_EXPIRY_SECONDS) expires_at?: number | null;
}
