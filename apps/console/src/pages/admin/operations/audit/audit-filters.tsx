import { useNavigate } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import { Select, TextField } from '../../../../ui/fields/index.ts';
import { localTime, secondsOf } from '../../../../calendar/local-time.ts';
import type { AuditSearch } from './audit-search.ts';

const RESULTS = { any: undefined, succeeded: true, refused: false } as const;
type Result = keyof typeof RESULTS;

const textOf = (text: string): string | undefined => text.trim() || undefined;

/** The form of the filters. They are applied by changing the address, and the list follows it. */
export function AuditFilters({ search }: { readonly search: AuditSearch }) {
  const { audit } = useAdminMessages().admin.operations;
  const navigate = useNavigate();
  const [action, setAction] = useState(search.action_type ?? '');
  const [resourceType, setResourceType] = useState(search.resource_type ?? '');
  const [resourceId, setResourceId] = useState(search.resource_id ?? '');
  const [user, setUser] = useState(search.user_id ?? '');
  const [result, setResult] = useState<Result>(search.success === undefined ? 'any' : search.success ? 'succeeded' : 'refused');
  const [from, setFrom] = useState(localTime(search.start_time));
  const [until, setUntil] = useState(localTime(search.end_time));

  /** On phones the form is closed at first. */
  const [isOpen, setOpen] = useState(false);

  const apply = (event: FormEvent) => {
    event.preventDefault();
    void navigate({
      to: '/admin/audit',
      search: {
        action_type: textOf(action),
        resource_type: textOf(resourceType),
        resource_id: textOf(resourceId),
        user_id: textOf(user),
        success: RESULTS[result],
        start_time: secondsOf(from),
        end_time: secondsOf(until),
      },
    });
  };
  const isFiltered = Object.entries(search).some(([name, value]) => name !== 'token' && value !== undefined);

  return (
    <>
      <Button className="sm:hidden" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <ListFilter aria-hidden className="size-4" />
        {audit.filters}
      </Button>
      <form
        aria-label={audit.filters}
        onSubmit={apply}
        className={`grid grid-cols-4 items-end gap-3 max-lg:grid-cols-2 max-sm:grid-cols-1 ${isOpen ? '' : 'max-sm:hidden'}`}
      >
        <TextField label={audit.action} placeholder={audit.actionPlaceholder} value={action} onChange={setAction} maxLength={128} />
        <TextField label={audit.resourceType} value={resourceType} onChange={setResourceType} maxLength={128} />
        <TextField label={audit.resourceId} value={resourceId} onChange={setResourceId} maxLength={128} />
        <TextField label={audit.user} value={user} onChange={setUser} maxLength={128} />
        <Select<Result>
          label={audit.result}
          value={result}
          onChange={setResult}
          options={[
            { id: 'any', name: audit.any },
            { id: 'succeeded', name: audit.succeeded },
            { id: 'refused', name: audit.refused },
          ]}
        />
        <TextField label={audit.from} type="datetime-local" value={from} onChange={setFrom} />
        <TextField label={audit.until} type="datetime-local" value={until} onChange={setUntil} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary">
            {audit.apply}
          </Button>
          {isFiltered && <Button onPress={() => void navigate({ to: '/admin/audit', search: {} })}>{audit.clear}</Button>}
        </div>
      </form>
    </>
  );
}
