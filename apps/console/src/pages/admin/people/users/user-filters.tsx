import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { useMessages } from '../../../../messages/index.ts';
import { Checkbox, SearchField, Select } from '../../../../ui/fields/index.ts';
import { groupsQuery } from '../queries.ts';
import { USER_SORTS, type UserSort, type UsersSearch } from '../search.ts';

/** A request is sent when the user has not typed for this long. */
const TYPING_MILLIS = 300;
/** The option for any group. It cannot be the name of a group, because those have no comma. */
const ANY = ',';

interface Props {
  readonly search: UsersSearch;
  readonly onChange: (change: UsersSearch) => void;
}

export function UserFilters({ search, onChange }: Props) {
  const { common } = useMessages();
  const { users: texts } = useAdminMessages().admin.people;
  const { data: groups = [] } = useQuery(groupsQuery);
  const names = new Set([...(search.group === undefined ? [] : [search.group]), ...groups.map(({ name }) => name)]);
  const status = search.enabled === undefined ? 'any' : search.enabled ? 'enabled' : 'disabled';
  return (
    <div className="flex flex-wrap items-end gap-3">
      <PrefixField prefix={search.prefix ?? ''} onChange={(prefix) => onChange({ prefix: prefix === '' ? undefined : prefix })} />
      <Select
        label={texts.group}
        isLabelHidden
        className="w-48 max-sm:w-full"
        value={search.group ?? ANY}
        onChange={(group) => onChange({ group: group === ANY ? undefined : group })}
        options={[{ id: ANY, name: texts.anyGroup }, ...[...names].map((name) => ({ id: name, name }))]}
      />
      <Select
        label={texts.status}
        isLabelHidden
        className="w-52 max-sm:w-full"
        value={status}
        onChange={(each) => onChange({ enabled: each === 'any' ? undefined : each === 'enabled' })}
        options={[
          { id: 'any', name: texts.anyStatus },
          { id: 'enabled', name: texts.enabled },
          { id: 'disabled', name: texts.disabled },
        ]}
      />
      <Select
        label={texts.sort}
        isLabelHidden
        className="w-48 max-sm:w-full"
        value={search.sort ?? 'total_price'}
        onChange={(sort: UserSort) => onChange({ sort, order: undefined })}
        options={USER_SORTS.map((id) => ({ id, name: common.named(texts.sort, texts.sorts[id]) }))}
      />
      <Checkbox isSelected={search.used === true} onChange={(used) => onChange({ used: used || undefined })}>
        {texts.usedOnly}
      </Checkbox>
    </div>
  );
}

function PrefixField({ prefix, onChange }: { readonly prefix: string; readonly onChange: (prefix: string) => void }) {
  const { users: texts } = useAdminMessages().admin.people;
  const [text, setText] = useState(prefix);
  useEffect(() => setText(prefix), [prefix]);
  useEffect(() => {
    if (text.trim() === prefix) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MILLIS);
    return () => clearTimeout(timer);
  }, [text, prefix, onChange]);
  return <SearchField label={texts.search} maxLength={100} value={text} onChange={setText} className="w-72 max-sm:w-full" />;
}
