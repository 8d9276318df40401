import { useMessages } from '../../../messages/index.ts';
import { Checkbox, NumberField, Select, TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { ChunkingFields } from './chunking-fields.tsx';
import type { SectionProps } from './form.ts';
import type { KnowledgeDraft } from './knowledge-draft.ts';

const TYPES = ['shared', 'dedicated', 'existing'] as const;
const SEARCHES = ['hybrid', 'semantic', 'lexical'] as const;
const SCOPES = ['single_page', 'host', 'subdomains'] as const;
const ON_SOURCE_ERROR = ['fail', 'skip'] as const;
const BASE = 'bedrock_knowledge_base';

export function KnowledgeSection({ draft, change, errors }: SectionProps) {
  const { settings } = useMessages().bots;
  const { knowledge } = draft;
  const set = (part: Partial<KnowledgeDraft>) => change({ knowledge: { ...knowledge, ...part } });
  /** An empty number keeps its earlier value. */
  const number = (name: 'maxResults' | 'maxDepth' | 'maxPages') => (value: number) => Number.isNaN(value) || set({ [name]: value });
  const isOwn = knowledge.type !== 'existing';
  return (
    <Section title={settings.knowledge} description={settings.knowledgeText}>
      <Checkbox isSelected={draft.showChunks} onChange={(showChunks) => change({ showChunks })}>
        {settings.showChunks}
      </Checkbox>
      <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
        <Select
          label={settings.searchType}
          value={knowledge.searchType}
          onChange={(searchType) => set({ searchType })}
          options={SEARCHES.map((id) => ({ id, name: settings.searchTypes[id] }))}
          error={errors[`${BASE}.search_params.search_type`]}
        />
        <NumberField
          label={settings.maxResults}
          value={knowledge.maxResults}
          minValue={1}
          maxValue={100}
          onChange={number('maxResults')}
          error={errors[`${BASE}.search_params.max_results`]}
        />
        <Select
          label={settings.baseType}
          value={knowledge.type}
          onChange={(type) => set({ type })}
          options={TYPES.map((id) => ({ id, name: settings.baseTypes[id] }))}
          error={errors[`${BASE}.type`]}
        />
        {isOwn ? (
          <TextField
            label={settings.parsingModel}
            help={settings.parsingModelHelp}
            value={knowledge.parsingModel}
            onChange={(parsingModel) => set({ parsingModel })}
            error={errors[`${BASE}.parsing_model`]}
            autoComplete="off"
          />
        ) : (
          <TextField
            label={settings.existingId}
            help={settings.existingIdHelp}
            value={knowledge.existingId}
            onChange={(existingId) => set({ existingId })}
            error={errors[`${BASE}.exist_knowledge_base_id`]}
            autoComplete="off"
          />
        )}
      </div>
      {isOwn && (
        <>
          <ChunkingFields knowledge={knowledge} set={set} errors={errors} />
          <h3 className="pt-2 text-sm font-semibold">{settings.crawling}</h3>
          <div className="grid grid-cols-3 items-end gap-3 max-sm:grid-cols-1">
            <Select
              label={settings.crawlingScope}
              value={knowledge.scope}
              onChange={(scope) => set({ scope })}
              options={SCOPES.map((id) => ({ id, name: settings.crawlingScopes[id] }))}
              error={errors[`${BASE}.web_crawling_scope`]}
            />
            <NumberField
              label={settings.maxDepth}
              value={knowledge.maxDepth}
              minValue={0}
              onChange={number('maxDepth')}
              error={errors[`${BASE}.web_crawling_limits.max_depth`]}
            />
            <NumberField
              label={settings.maxPages}
              value={knowledge.maxPages}
              minValue={1}
              onChange={number('maxPages')}
              error={errors[`${BASE}.web_crawling_limits.max_pages`]}
            />
          </div>
          {knowledge.scope !== 'single_page' && (
            <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
              <TextField
                label={settings.includePatterns}
                help={settings.patternsHelp}
                rows={2}
                value={knowledge.include}
                onChange={(include) => set({ include })}
                error={errors[`${BASE}.web_crawling_filters.include_patterns`] ?? errors[`${BASE}.web_crawling_filters`]}
              />
              <TextField
                label={settings.excludePatterns}
                help={settings.patternsHelp}
                rows={2}
                value={knowledge.exclude}
                onChange={(exclude) => set({ exclude })}
                error={errors[`${BASE}.web_crawling_filters.exclude_patterns`]}
              />
            </div>
          )}
          <h3 className="pt-2 text-sm font-semibold">{settings.reading}</h3>
          <Select
            label={settings.onSourceError}
            help={settings.onSourceErrorHelp}
            value={knowledge.onSourceError}
            onChange={(onSourceError) => set({ onSourceError })}
            options={ON_SOURCE_ERROR.map((id) => ({ id, name: settings.onSourceErrors[id] }))}
            error={errors[`${BASE}.on_source_error`]}
            className="max-w-md"
          />
          <TextField
            label={settings.schedule}
            help={settings.scheduleHelp}
            value={draft.schedule}
            onChange={(schedule) => change({ schedule })}
            error={errors['sync_schedule']}
            autoComplete="off"
            className="max-w-md"
          />
        </>
      )}
    </Section>
  );
}
