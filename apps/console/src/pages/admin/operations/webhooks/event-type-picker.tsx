import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Checkbox, SearchField } from '../../../../ui/fields/index.ts';
import { Loaded } from '../../../../ui/states.tsx';
import { eventTypesQuery } from './event-types-query.ts';
import { groupsOf, matching } from './event-types.ts';

interface EventTypePickerProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  readonly error?: string | undefined;
}

/** All types of events by service, with a search. */
export function EventTypePicker({ chosen, onChange, error }: EventTypePickerProps) {
  const { webhooks } = useAdminMessages().admin.operations;
  const [search, setSearch] = useState('');
  const query = useQuery(eventTypesQuery);
  const toggle = (name: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(name);
    else next.delete(name);
    onChange(next);
  };
  return (
    <div role="group" aria-label={webhooks.someEvents} className="flex flex-col gap-2">
      <SearchField label={webhooks.searchEvents} value={search} onChange={setSearch} />
      <div className="max-h-64 overflow-auto rounded-sm border border-line p-3" role="region" aria-label={webhooks.someEvents} tabIndex={0}>
        <Loaded query={query}>
          {(types) => {
            const groups = [...groupsOf(matching(types, search))];
            if (groups.length === 0) return <p className="text-sm text-muted">{webhooks.noEvents}</p>;
            return groups.map(([service, members]) => (
              <fieldset key={service} className="pb-3 last:pb-0">
                <legend className="text-xs font-medium text-muted">{service}</legend>
                {members.map(({ name, summary }) => (
                  <Checkbox key={name} isSelected={chosen.has(name)} onChange={(isChosen) => toggle(name, isChosen)}>
                    <span title={summary}>{name.split('.').slice(2).join('.')}</span>
                  </Checkbox>
                ))}
              </fieldset>
            ));
          }}
        </Loaded>
      </div>
      <p role="status" className="text-xs text-muted">
        {webhooks.chosen(chosen.size)}
      </p>
      {error !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
