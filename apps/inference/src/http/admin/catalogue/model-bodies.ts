import { modelName } from '@parlance/config';
import { ChangesFields, MayBeLeftOut, MayBeNull } from '@parlance/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, IsOptional, Length, Matches, Max, Min, ValidateNested } from 'class-validator';
import { MOST_CAPABILITIES, MOST_FALLBACKS, MOST_FIRST_PRICES } from '../../../domain/catalogue/catalogue-limits.ts';
import type { ModelTerms } from '../../../domain/catalogue/managed-catalogue.ts';
import { PriceBody } from './price-body.ts';
import { IsCatalogueName } from './provider-bodies.ts';

const MOST_TOKENS = 100_000_000;

export const AreModels = () => Matches(modelName, { each: true, message: 'must contain only IDs of models' });

class ModelFields {
  @MayBeNull() @Length(1, 100) name?: string | null;
  @IsOptional() @IsInt() @Min(1) @Max(MOST_TOKENS) context_window?: number;
  @MayBeNull() @IsInt() @Min(1) @Max(MOST_TOKENS) max_output_tokens?: number | null;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_CAPABILITIES)
  @ArrayUnique()
  @Matches(/^[a-z][a-z_]{0,39}$/, { each: true, message: 'must contain only words of small letters and _' })
  capabilities?: string[];
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_FALLBACKS) @ArrayUnique() @AreModels() fallbacks?: string[];
}

export class NewModelBody extends ModelFields {
  @IsCatalogueName() id!: string;
  @IsCatalogueName() provider!: string;
  /** The provider's name of the model. */
  @IsCatalogueName() model!: string;
  /** Set as with `PUT /admin/models/{id}/prices`. Without any, the model is free. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_FIRST_PRICES)
  @ValidateNested({ each: true })
  @Type(() => PriceBody)
  prices?: PriceBody[];
}

@MayBeLeftOut()
@ChangesFields()
export class ChangeModelBody extends ModelFields {
  @IsOptional() @IsCatalogueName() provider?: string;
  @IsOptional() @IsCatalogueName() model?: string;
}

/** The terms that a body has. */
export function modelTermsIn(body: ChangeModelBody): Partial<ModelTerms> {
  const { provider, model, name, context_window, max_output_tokens, capabilities, fallbacks } = body;
  return {
    ...(provider != null && { provider }),
    ...(model != null && { model }),
    ...(name !== undefined && { name }),
    ...(context_window != null && { contextWindow: context_window }),
    ...(max_output_tokens !== undefined && { maxOutputTokens: max_output_tokens }),
    ...(capabilities != null && { capabilities }),
    ...(fallbacks != null && { fallbacks }),
  };
}
