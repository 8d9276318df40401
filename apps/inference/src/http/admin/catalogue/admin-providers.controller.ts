import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { FreshSecondFactor } from '@parlance/calls';
import { acceptsCsv, Audited, AuditedRead, Caller, csvList, etagOf, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Catalogue } from '../../../adapters/pricing/catalogue.ts';
import { notFound } from '../../../domain/catalogue/catalogue-refusals.ts';
import type { ManagedCatalogue } from '../../../domain/catalogue/managed-catalogue.ts';
import { CatalogueChanges } from '../../../workflows/catalogue/catalogue-changes.ts';
import { CatalogueReader } from '../../../workflows/catalogue/catalogue-reader.ts';
import { ProviderChecks } from '../../../workflows/catalogue/provider-checks.ts';
import { AvailableModelsAnswer, CheckAnswer, ProviderAnswer, ProvidersAnswer } from './catalogue-answers.ts';
import { ChangeProviderBody, credentialsIn, NewProviderBody, termsIn } from './provider-bodies.ts';

const COLUMNS = [
  'id',
  'type',
  'base_url',
  'region',
  'has_api_key',
  'has_access_key',
  'available',
  'models',
  'breaker',
  'max_concurrent_calls',
  'source',
  'read_only',
] as const;

/** The terms of a new provider that its request leaves out: as in the configuration. */
const DEFAULTS = {
  baseUrl: null,
  region: null,
  maxConcurrentCalls: 1_000,
  queueTimeoutSeconds: 30,
  firstTokenTimeoutSeconds: 120,
  tokenTimeoutSeconds: 60,
};

@Controller('admin/providers')
@Needs('Admin')
export class AdminProvidersController {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly reader: CatalogueReader,
    private readonly changes: CatalogueChanges,
    private readonly checks: ProviderChecks,
    private readonly secondFactor: FreshSecondFactor,
  ) {}

  @Get()
  @Summary('List the providers of models, without their credentials: those of the configuration, built-in ones, and added ones.')
  @Answers(200, ProvidersAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept)) return csvList(reply, { list: 'providers', columns: COLUMNS, read: () => this.rows() });
    return this.all();
  }

  @Get(':providerId')
  @Summary('Get a provider of models, without its credentials.')
  @Answers(200, ProviderAnswer)
  @Refuses('provider_not_found', 404)
  async find(@Param('providerId') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<ProviderAnswer> {
    return this.tagged(id, reply);
  }

  @Post()
  @Audited('add_provider', 'provider')
  @Summary('Add a provider of models. Every replica uses it within two seconds. Its credentials are never shown again.')
  @Answers(201, ProviderAnswer)
  @Refuses('address_forbidden', 400)
  @Refuses('port_forbidden', 400)
  @Refuses('url_invalid', 400)
  @Refuses('step_up_required', 403)
  @Refuses('provider_exists', 409)
  @Refuses('provider_read_only', 409)
  @Refuses('too_many_providers', 409)
  async add(@Body() body: NewProviderBody, @Res({ passthrough: true }) reply: FastifyReply): Promise<ProviderAnswer> {
    await this.secondFactor.require();
    await this.changes.addProvider(body.id, { ...DEFAULTS, ...termsIn(body), type: body.type }, credentialsIn(body));
    return this.tagged(body.id, reply);
  }

  @Patch(':providerId')
  @Audited('change_provider', 'provider', 'providerId')
  @Summary('Change a provider that was added. New credentials replace all earlier ones. A change of its type or base URL needs them again.')
  @Answers(200, ProviderAnswer)
  @Refuses('address_forbidden', 400)
  @Refuses('credentials_needed', 400)
  @Refuses('port_forbidden', 400)
  @Refuses('url_invalid', 400)
  @Refuses('step_up_required', 403)
  @Refuses('provider_not_found', 404)
  @Refuses('provider_read_only', 409)
  async change(
    @Param('providerId') id: string,
    @Body() body: ChangeProviderBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ProviderAnswer> {
    await this.secondFactor.require();
    await this.changes.changeProvider(id, termsIn(body), credentialsIn(body), ifMatch);
    return this.tagged(id, reply);
  }

  @Delete(':providerId')
  @HttpCode(204)
  @Audited('remove_provider', 'provider', 'providerId')
  @Summary('Remove a provider that was added, with its credentials. Its models must be removed first.')
  @Answers(204)
  @Refuses('step_up_required', 403)
  @Refuses('provider_not_found', 404)
  @Refuses('provider_in_use', 409)
  @Refuses('provider_read_only', 409)
  async remove(@Param('providerId') id: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.secondFactor.require();
    await this.changes.removeProvider(id, ifMatch);
  }

  @Post(':providerId/check')
  @HttpCode(200)
  @AuditedRead('check_provider', 'provider', 'providerId')
  @Summary(
    'Check the address and the credentials of a provider by reading its list of models, which is free. If it has no such list, one of its models is checked, and charged.',
  )
  @Answers(200, CheckAnswer)
  @Refuses('provider_not_found', 404)
  @Refuses('budget_exceeded', 429)
  async check(@Caller() caller: Caller, @Param('providerId') id: string): Promise<z.infer<typeof CheckAnswer>> {
    await this.reader.refresh();
    const { latencyMillis, failure } = await this.checks.check(id, caller.userId);
    return { ok: failure === null, latency_ms: latencyMillis, error: failure };
  }

  @Get(':providerId/available-models')
  @AuditedRead('view_available_models', 'provider', 'providerId')
  @Summary('List up to 1,000 models that a provider offers, with prices of the built-in catalogue for those that it knows.')
  @Answers(200, AvailableModelsAnswer)
  @Refuses('provider_not_found', 404)
  @Refuses('models_not_listed', 409)
  @Refuses('provider_unavailable', 503)
  async availableModels(@Param('providerId') id: string): Promise<z.infer<typeof AvailableModelsAnswer>> {
    await this.reader.refresh();
    const { models, isComplete } = await this.checks.availableModels(id);
    return {
      models: models.map(({ model, name, contextWindow, ids, known }) => ({
        model,
        name,
        context_window: contextWindow,
        model_ids: [...ids],
        suggestion: known && {
          id: known.id,
          name: known.name,
          context_window: known.context_window,
          max_output_tokens: known.max_output_tokens,
          capabilities: [...known.capabilities],
          prices: [...known.prices],
        },
      })),
      complete: isComplete,
    };
  }

  /** Rows for CSV, with the state of the breaker alone. */
  private async rows() {
    const { providers, next_token } = await this.all();
    return { providers: providers.map(({ breaker, ...provider }) => ({ ...provider, breaker: breaker?.state ?? null })), next_token };
  }

  private async all(): Promise<z.infer<typeof ProvidersAnswer>> {
    const state = await this.reader.refresh();
    const ids = Object.keys(this.catalogue.whole.providers).toSorted();
    return { providers: ids.map((id) => this.answer(id, state)), next_token: null };
  }

  private async tagged(id: string, reply: FastifyReply): Promise<ProviderAnswer> {
    const state = await this.reader.refresh();
    if (!Object.hasOwn(this.catalogue.whole.providers, id)) throw notFound('provider');
    const answer = this.answer(id, state);
    if (answer.etag !== null) reply.header('etag', answer.etag);
    return answer;
  }

  private answer(id: string, { providers: managed }: ManagedCatalogue): ProviderAnswer {
    const { providers, models, sources } = this.catalogue.whole;
    const provider = providers[id]!;
    const source = sources.providers.get(id)!;
    const { type, base_url, region, max_concurrent_calls, queue_timeout_seconds, first_token_timeout_seconds, token_timeout_seconds } =
      provider;
    return {
      id,
      type,
      base_url,
      region,
      has_api_key: provider.api_key !== null,
      has_access_key: provider.access_key_id !== null && provider.secret_access_key !== null,
      available: this.catalogue.providers.has(id),
      models: models.filter((model) => model.provider === id).length,
      breaker: this.breakerOf(id),
      max_concurrent_calls,
      queue_timeout_seconds,
      first_token_timeout_seconds,
      token_timeout_seconds,
      source,
      read_only: source !== 'managed',
      etag: source === 'managed' ? etagOf(managed[id]!.version) : null,
    };
  }

  private breakerOf(id: string): ProviderAnswer['breaker'] {
    const gate = this.catalogue.providers.connectionTo(id) && this.catalogue.providers.gateOf(id);
    if (!gate) return null;
    const { state, since } = gate.report;
    return { state, since: since === null ? null : Math.floor(since / 1_000) };
  }
}
