import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { User, Users, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { errorText } from '../../../api/error-text.ts';
import { useMessages } from '../../../messages/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Select, TextField, itemLook } from '../../../ui/fields/index.ts';
import { findPeople, type FoundPerson, useNames } from './people.ts';
import type { Person } from './sharing.ts';

interface PeoplePickerProps {
  readonly people: readonly Person[];
  readonly onChange: (people: readonly Person[]) => void;
}

const keyOf = ({ kind, id }: Pick<Person, 'kind' | 'id'>): string => `${kind}:${id}`;

/** Users and groups with their rights, and a search that adds to them. */
export function PeoplePicker({ people, onChange }: PeoplePickerProps) {
  const texts = useMessages().bots.header.sharing;
  const [prefix, setPrefix] = useState('');
  const searched = useDeferredValue(prefix.trim());
  const names = useNames(people.filter(({ kind }) => kind === 'user').map(({ id }) => id));
  const found = useQuery({
    queryKey: ['people', searched],
    queryFn: () => findPeople(searched),
    enabled: searched !== '',
    placeholderData: keepPreviousData,
  });
  const taken = new Set(people.map(keyOf));
  const free = searched === '' ? [] : (found.data ?? []).filter((person) => !taken.has(keyOf(person)));
  const nameOf = ({ kind, id }: Person) => (kind === 'group' ? id : (names.get(id) ?? id));
  const add = ({ kind, id }: FoundPerson) => {
    onChange([...people, { kind, id, mayEdit: false }]);
    setPrefix('');
  };
  const Icon = ({ kind }: Pick<Person, 'kind'>) =>
    kind === 'group' ? (
      <Users aria-hidden className="size-4 shrink-0 text-muted" />
    ) : (
      <User aria-hidden className="size-4 shrink-0 text-muted" />
    );

  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={texts.add}
        help={texts.addHelp}
        value={prefix}
        onChange={setPrefix}
        autoComplete="off"
        error={found.error ? errorText(found.error) : undefined}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter must not submit the form.
          event.preventDefault();
          const isCurrent = searched === prefix.trim() && !found.isPlaceholderData;
          if (isCurrent && free[0]) add(free[0]);
        }}
      />
      {searched !== '' && found.data !== undefined && (
        <ListBox
          aria-label={texts.found}
          items={free.map((person) => ({ ...person, key: keyOf(person) }))}
          onAction={(key) => {
            const person = free.find((each) => keyOf(each) === key);
            if (person) add(person);
          }}
          renderEmptyState={() => <p className="p-2 text-xs text-muted">{texts.notFound}</p>}
          className="max-h-52 overflow-auto rounded-sm border border-line p-1 outline-none"
        >
          {(person) => (
            <ListBoxItem id={person.key} textValue={person.name} className={itemLook}>
              <Icon kind={person.kind} />
              <span className="min-w-0 grow truncate">{person.name}</span>
              <span className="text-xs text-muted">{texts[person.kind]}</span>
            </ListBoxItem>
          )}
        </ListBox>
      )}
      {people.length === 0 ? (
        <p className="text-sm text-muted">{texts.none}</p>
      ) : (
        <ul aria-label={texts.chosen} className="flex max-h-72 flex-col overflow-auto rounded-sm border border-line">
          {people.map((person) => (
            <li key={keyOf(person)} className="flex items-center gap-2 border-b border-line py-1 ps-3 pe-1 last:border-0">
              <Icon kind={person.kind} />
              <span className="min-w-0 grow truncate text-sm">{nameOf(person)}</span>
              <Select
                label={texts.right(nameOf(person))}
                isLabelHidden
                className="w-32 shrink-0"
                value={person.mayEdit ? 'editor' : 'reader'}
                options={[
                  { id: 'reader', name: texts.reader },
                  { id: 'editor', name: texts.editor },
                ]}
                onChange={(right) => onChange(people.map((each) => (each === person ? { ...each, mayEdit: right === 'editor' } : each)))}
              />
              <IconButton label={texts.remove(nameOf(person))} onPress={() => onChange(people.filter((each) => each !== person))}>
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
