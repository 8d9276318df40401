import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { parseJson } from '@parlance/http';
import fc from 'fast-check';
import { jsonOfYaml } from '../../adapters/yaml/yaml-json.ts';
import { BOT_COLOURS, BOT_ICONS } from '../../domain/appearance.ts';
import { type BotSettings, CRAWLING_SCOPES, ON_SOURCE_ERROR, DEFAULT_SETTINGS, type KnowledgeBase } from '../../domain/configuration.ts';
import { botOfFile } from './bot-file-body.ts';
import { botFileOf, type PlainConfiguration } from './bot-file.ts';

const NOW = Instant.ofMillis(1_795_262_400_000);
const text = (most: number, least = 0) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', minLength: least, maxLength: 40 }),
      fc.array(fc.string(), { minLength: 1 }).map((rows) => rows.join('\n')),
    )
    .map((generated) => generated.slice(0, most).replaceAll('\0', ' '))
    .filter((generated) => generated.isWellFormed() && generated.length >= least);
const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,12}$/), { maxLength: 4 });
const sizes = fc.integer({ min: 1, max: 1_000 });

const chunking: fc.Arbitrary<KnowledgeBase['chunking_configuration']> = fc.oneof(
  fc.constant({ chunking_strategy: 'none' } as const),
  fc.record({
    chunking_strategy: fc.constant('fixed_size' as const),
    fixed_size_chunking_configuration: fc.record({ max_tokens: sizes, overlap_percentage: fc.integer({ min: 0, max: 99 }) }),
  }),
  fc.record({
    chunking_strategy: fc.constant('semantic' as const),
    semantic_chunking_configuration: fc.record({
      max_tokens: sizes,
      buffer_size: fc.integer({ min: 0, max: 1 }),
      breakpoint_percentile_threshold: fc.integer({ min: 50, max: 99 }),
    }),
  }),
  sizes.map((size) => ({
    chunking_strategy: 'hierarchical' as const,
    hierarchical_chunking_configuration: {
      level_configurations: [{ max_tokens: size + 1 }, { max_tokens: size }],
      overlap_tokens: size - 1,
    },
  })),
);
const base: fc.Arbitrary<KnowledgeBase> = fc
  .record({
    type: fc.constantFrom('shared' as const, 'dedicated' as const),
    exist_knowledge_base_id: fc.option(text(200, 1)),
    chunking_configuration: chunking,
    parsing_model: fc.option(text(200, 1)),
    search_params: fc.record({
      max_results: fc.integer({ min: 1, max: 20 }),
      search_type: fc.constantFrom('hybrid' as const, 'semantic' as const, 'lexical' as const),
    }),
    web_crawling_scope: fc.constantFrom(...CRAWLING_SCOPES),
    web_crawling_filters: fc.record({ include_patterns: names, exclude_patterns: names }),
    web_crawling_limits: fc.record({ max_depth: fc.integer({ min: 0, max: 3 }), max_pages: sizes }),
    on_source_error: fc.constantFrom(...ON_SOURCE_ERROR),
  })
  .map((exported) => (exported.exist_knowledge_base_id === null ? exported : { ...exported, type: null }));
const settings: fc.Arbitrary<BotSettings> = fc
  .record({
    display_retrieved_chunks: fc.boolean(),
    bedrock_knowledge_base: base,
    bedrock_guardrails: fc.record({
      is_guardrail_enabled: fc.boolean(),
      guardrail_arn: text(100),
      guardrail_version: text(20),
      grounding_threshold: fc.double({ min: 0, max: 1, noNaN: true }),
      relevance_threshold: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    generation_params: fc.record({
      max_tokens: fc.option(sizes),
      top_k: fc.option(sizes),
      top_p: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      temperature: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
      stop_sequences: fc.array(text(100, 1), { maxLength: 3 }),
      reasoning_budget_tokens: fc.option(sizes),
    }),
    active_models: names,
    prompt_caching_enabled: fc.boolean(),
    tools: names.map((all) => all.map((name) => ({ name: `t${name}`, approval: 'always' as const }))),
    sync_schedule: fc.constantFrom(null, '0 3 * * 1'),
    memory: fc.constantFrom(null, true, false),
    icon: fc.constantFrom(null, ...BOT_ICONS),
    colour: fc.constantFrom(null, ...BOT_COLOURS),
    picture: fc.constant(null),
  })
  .map((exported) => ({ ...exported, default_model: exported.active_models[0] ?? null }));
const configuration: fc.Arbitrary<PlainConfiguration> = fc.record({
  texts: fc.record({
    title: text(100, 1),
    description: text(500),
    instruction: text(5_000),
    quickStarters: fc
      .array(fc.record({ title: text(100, 1), example: text(100, 1) }), { maxLength: 3 })
      .map((starters) => (starters.length === 0 ? '' : JSON.stringify(starters))),
    knowledge: fc.record({ hosts: names, buckets: names, files: names }).map(({ hosts, buckets, files }) => {
      const sources = {
        source_urls: hosts.map((host) => `https://a${host}b.example/`),
        sitemap_urls: [],
        s3_urls: buckets.map((bucket) => `s3://a${bucket}b/`),
        filenames: files,
      };
      return hosts.length + buckets.length + files.length === 0 ? '' : JSON.stringify(sources);
    }),
    blockedText: text(500),
  }),
  settings,
});

const filesOf = ({ texts: { knowledge } }: PlainConfiguration) =>
  knowledge === '' ? [] : (JSON.parse(knowledge) as { filenames: string[] }).filenames.map((name) => ({ name }));
const read = (yaml: string) => {
  const result = jsonOfYaml(yaml);
  if ('fault' in result) throw new Error(`${result.fault}\n${yaml}`);
  return botOfFile(parseJson(Buffer.from(result.json)), NOW);
};
/** Minus zero is zero in JSON too. */
const plain = (exported: unknown) => JSON.parse(JSON.stringify(exported));

describe('the import of an export', () => {
  it('has every exported field of the bot', () =>
    fc.assert(
      fc.property(configuration, (exported) => {
        const { files, ...imported } = read(botFileOf(exported, filesOf(exported)));
        expect(plain(imported)).toEqual(plain(exported));
        expect(plain(files)).toEqual(filesOf(exported));
      }),
    ));
});

describe('a file of a bot', () => {
  const codeOf = (yaml: string) => {
    try {
      return JSON.stringify(read(yaml).settings) === JSON.stringify(DEFAULT_SETTINGS) ? 'defaults' : 'other settings';
    } catch (error) {
      return (error as Error).message;
    }
  };
  it('needs only a version and a title', () => expect(codeOf('parlance_bot: 1\ntitle: x')).toBe('defaults'));
  it.each([
    ['another version', 'parlance_bot: 2\ntitle: x', 'parlance_bot must be 1'],
    ['no version', 'title: x', 'parlance_bot must be 1'],
    ['an unknown field', 'parlance_bot: 1\ntitle: x\nowner_user_id: x', 'owner_user_id is not a known field'],
    ['an ID', 'parlance_bot: 1\ntitle: x\nid: 01K0000000000000000000000A', 'id is not a known field'],
    ['two files with the same name', 'parlance_bot: 1\ntitle: x\nfiles: [{name: a}, {name: a}]', 'two files with the same name'],
    ['a name with a slash', 'parlance_bot: 1\ntitle: x\nfiles: [{name: ../a}]', 'files[0].name'],
    ['names among the sources', 'parlance_bot: 1\ntitle: x\nknowledge: {filenames: [a]}', 'knowledge.filenames must be absent'],
  ])('is refused with %s', (_, yaml, message) => expect(codeOf(yaml)).toContain(message));
});
