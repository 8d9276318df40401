import { refuse } from '@parlance/decider';
import { IsDollars } from '@parlance/http';
import { IsOptional, Matches, Max, Min } from 'class-validator';
import { priceOf } from '../../../adapters/pricing/model-prices.ts';
import type { Price } from '../../../domain/model-prices.ts';
import { RFC_3339 } from '../rfc-3339.ts';

/** Dollars per million tokens. */
const HIGHEST_PRICE = 9_000_000;

export class PriceBody {
  @Matches(RFC_3339, { message: 'from must be a date and time as in RFC 3339, such as 2027-01-01T00:00:00Z' }) from!: string;
  @IsDollars() @Min(0) @Max(HIGHEST_PRICE) input!: number;
  @IsDollars() @Min(0) @Max(HIGHEST_PRICE) output!: number;
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) cache_read?: number;
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) cache_write?: number;
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) cache_write_1h?: number;
  /** For 1,000 searches of the web by the provider. */
  @IsOptional() @IsDollars() @Min(0) @Max(HIGHEST_PRICE) web_search?: number;
}

/** The price in a body whose fields are individually valid. */
export function checkedPrice(body: PriceBody, path = ''): Price {
  const price = priceOf(body);
  if (Number.isNaN(price.from)) throw invalid(`${path}from`, 'must be a date and time that exist');
  return price;
}

const invalid = (path: string, message: string) =>
  refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
