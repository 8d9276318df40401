import { ROUTE_STRATEGIES, type RouteStrategy } from '@parlance/config';
import { ChangesFields, MayBeLeftOut, MayBeNull } from '@parlance/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { MOST_FALLBACKS, MOST_TARGETS } from '../../../domain/catalogue/catalogue-limits.ts';
import type { RouteTerms } from '../../../domain/catalogue/managed-catalogue.ts';
import { AreModels } from './model-bodies.ts';
import { IsCatalogueName } from './provider-bodies.ts';

class TargetBody {
  @IsCatalogueName() model!: string;
  /** Share of the calls, relative to the other targets, with the strategy `weighted`. */
  @IsOptional() @IsInt() @Min(1) @Max(1_000) weight?: number;
}

class RouteFields {
  @IsOptional() @IsIn(ROUTE_STRATEGIES) strategy?: RouteStrategy;
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_FALLBACKS) @ArrayUnique() @AreModels() fallbacks?: string[];
  @IsOptional() @IsInt() @Min(0) @Max(10) retries?: number;
  @MayBeNull() @IsInt() @Min(1) @Max(3_600) timeout_seconds?: number | null;
}

export class NewRouteBody extends RouteFields {
  @IsCatalogueName() id!: string;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(MOST_TARGETS) @ValidateNested({ each: true }) @Type(() => TargetBody) targets!: TargetBody[];
}

@MayBeLeftOut()
@ChangesFields()
export class ChangeRouteBody extends RouteFields {
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_TARGETS)
  @ValidateNested({ each: true })
  @Type(() => TargetBody)
  targets?: TargetBody[];
}

export const targetsIn = (targets: readonly TargetBody[]): RouteTerms['targets'] =>
  targets.map(({ model, weight }) => ({ model, weight: weight ?? 1 }));

/** The terms that a body has. */
export function routeTermsIn({ strategy, targets, fallbacks, retries, timeout_seconds }: ChangeRouteBody): Partial<RouteTerms> {
  return {
    ...(strategy != null && { strategy }),
    ...(targets != null && { targets: targetsIn(targets) }),
    ...(fallbacks != null && { fallbacks }),
    ...(retries != null && { retries }),
    ...(timeout_seconds !== undefined && { timeoutSeconds: timeout_seconds }),
  };
}
