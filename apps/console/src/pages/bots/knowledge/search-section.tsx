import type { KnowledgeSearch, PrivateBot } from '@parlance/client/types';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatNumber } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { Select, TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';

const TYPES = ['set', 'hybrid', 'semantic', 'lexical'] as const;

export function SearchSection({ bot }: { readonly bot: PrivateBot }) {
  const {
    bots: { knowledge, settings },
  } = useMessages();
  const [query, setQuery] = useState('');
  const [type, setType] = useState<(typeof TYPES)[number]>('set');
  const search = useMutation({
    mutationFn: () =>
      parlance.api.post('/bot/{botId}/knowledge/search', {
        path: { botId: bot.id },
        body: { query: query.trim(), ...(type !== 'set' && { search_type: type }) },
      }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (query.trim() !== '') search.mutate();
  };
  return (
    <Section title={knowledge.search} description={knowledge.searchText}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <TextField label={knowledge.query} value={query} onChange={setQuery} className="min-w-0 grow basis-64" autoComplete="off" />
        <Select
          label={knowledge.searchType}
          className="w-56 max-sm:w-full"
          value={type}
          onChange={setType}
          options={TYPES.map((id) => ({ id, name: id === 'set' ? knowledge.asSet : settings.searchTypes[id] }))}
        />
        <Button type="submit" isPending={search.isPending} isDisabled={query.trim() === ''}>
          {knowledge.find}
        </Button>
      </form>
      <div role="status">{search.data && <Results found={search.data} />}</div>
      {search.error !== null && <ErrorNote error={search.error} />}
    </Section>
  );
}

function Results({ found: { results, search_type: type, timings } }: { readonly found: KnowledgeSearch }) {
  const {
    bots: { knowledge, settings },
  } = useMessages();
  if (results.length === 0) return <p className="text-sm text-muted">{knowledge.noResults}</p>;
  const millis = Object.values(timings).reduce((sum, each) => sum + each, 0);
  return (
    <div className="flex flex-col gap-2">
      <p className="text-xs text-muted">{knowledge.found(settings.searchTypes[type], formatNumber(Math.round(millis)))}</p>
      <ol aria-label={knowledge.results} className="flex flex-col gap-2">
        {results.map(({ id, rank, source_name: name, page_number: page, heading, content }) => (
          <li key={id} className="rounded-sm border border-line p-3">
            <p className="flex flex-wrap items-baseline gap-x-3 text-xs">
              <span className="font-medium">
                {rank}. {name}
                {page !== null && `, ${knowledge.page(page)}`}
              </span>
              {heading !== null && <span className="text-muted">{heading}</span>}
            </p>
            <p className="mt-1 max-h-40 overflow-y-auto text-sm whitespace-pre-wrap" tabIndex={0}>
              {content}
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}
