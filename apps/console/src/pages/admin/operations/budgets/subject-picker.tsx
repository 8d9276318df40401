import type { Budget } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { audited } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { inputLook, itemLook, marked, TextField } from '../../../../ui/fields/index.ts';
import { usePausedText } from '../../../../ui/fields/use-paused-text.ts';
import { nameOf } from '../../people/user-names.ts';

const MAX_SUGGESTIONS = 20;

type SubjectKind = Exclude<Budget['scope'], 'all'>;

interface SubjectPickerProps {
  readonly kind: SubjectKind;
  /** Replaces the name of the kind as the label. */
  readonly label?: string | undefined;
  /** The typed text, or the name of the chosen subject. */
  readonly text: string;
  readonly onChange: (text: string, id: string) => void;
  readonly error?: string | undefined;
  /** Replaces the default help text, which describes a budget. */
  readonly help?: string;
}

interface Subject {
  readonly id: string;
  readonly name: string;
  /** Distinguishes users with the same name. */
  readonly email?: string;
}

/** Kinds that are entered as they are. */
type EnteredKind = 'key' | 'token' | 'cost_centre';
const isEntered = (kind: SubjectKind): kind is EnteredKind => kind === 'key' || kind === 'token' || kind === 'cost_centre';

const SEARCHES: Record<Exclude<SubjectKind, EnteredKind>, (prefix: string, signal: AbortSignal) => Promise<readonly Subject[]>> = {
  user: async (prefix, signal) => {
    const query = { prefix, include_all: true, sort: 'email' as const, limit: MAX_SUGGESTIONS };
    const { users } = await parlance.api.get('/admin/users', { query, signal });
    return users.map((user) => ({ id: user.user_id, name: nameOf(user) ?? user.user_id, email: user.email ?? '' }));
  },
  group: async (prefix, signal) => {
    const { groups } = await parlance.api.get('/user/group/search', { query: { prefix, limit: MAX_SUGGESTIONS }, signal });
    return groups.map(({ name }) => ({ id: name, name }));
  },
  bot: async (query, signal) => {
    const { results } = await parlance.api.get('/store/search', { query: { query, limit: MAX_SUGGESTIONS }, signal });
    return results.map(({ id, title }) => ({ id, name: title }));
  },
};

const textOf = ({ name, email = '' }: Subject): string => (email === '' || email === name ? name : `${name} (${email})`);

/** Finds a user, a group or a bot while its name is typed. An ID is accepted too. */
export function SubjectPicker({ kind, label, text, onChange, error, help }: SubjectPickerProps) {
  const { budgets } = useAdminMessages().admin.operations;
  if (!isEntered(kind)) return <Search kind={kind} label={label} text={text} onChange={onChange} error={error} help={help} />;
  return (
    <TextField label={budgets[kind]} help={budgets[`${kind}Help`]} error={error} value={text} onChange={(id) => onChange(id, id.trim())} />
  );
}

function Search({ kind, label, text, onChange, error, help }: SubjectPickerProps & { readonly kind: Exclude<SubjectKind, EnteredKind> }) {
  const { budgets } = useAdminMessages().admin.operations;
  // Choosing an item puts its text into the input, which is not a search.
  const [chosenText, setChosenText] = useState('');
  const prefix = usePausedText(text === chosenText ? '' : text.trim());
  const query = useQuery({
    ...audited,
    queryKey: ['admin', 'subjects', kind, prefix],
    queryFn: ({ signal }) => SEARCHES[kind](prefix, signal),
    enabled: prefix !== '',
    placeholderData: keepPreviousData,
  });
  const found = prefix === '' ? [] : (query.data ?? []);
  return (
    <ComboBox
      items={found}
      inputValue={text}
      // Choosing an item triggers both callbacks. The text that it puts into the input must not replace its ID.
      onInputChange={(typed) => {
        if (typed !== text) onChange(typed, typed.trim());
      }}
      onSelectionChange={(id) => {
        const subject = found.find((each) => each.id === id);
        if (!subject) return;
        setChosenText(textOf(subject));
        onChange(textOf(subject), subject.id);
      }}
      allowsCustomValue
      allowsEmptyCollection
      menuTrigger="input"
      {...marked(error)}
      className="flex flex-col gap-1"
    >
      <Label className="text-xs font-medium text-text">{label ?? budgets[kind]}</Label>
      <Input className={inputLook} />
      <Text slot="description" className="text-xs text-muted">
        {help ?? budgets[`${kind}Help`]}
      </Text>
      <FieldError className="text-xs text-bad">{error}</FieldError>
      <Popover className="w-(--trigger-width) rounded-md border border-line bg-raised p-1 shadow-raised">
        <ListBox
          className="max-h-64 overflow-auto outline-none"
          renderEmptyState={() => <p className="px-2.5 py-2 text-sm text-muted">{budgets.noMatch}</p>}
        >
          {(subject: Subject) => (
            <ListBoxItem id={subject.id} textValue={textOf(subject)} className={itemLook}>
              <span className="min-w-0 grow truncate">{textOf(subject)}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
