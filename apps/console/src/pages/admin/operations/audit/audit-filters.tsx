import { useNavigate } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import { Select, Switch, TextField } from '../../../../ui/fields/index.ts';
import { localTime, secondsOf } from '../../../../calendar/local-time.ts';
import { type AuditSearch, isReversed } from './audit-search.ts';
import { ActorField, type Chosen, ResourceField } from './subject-fields.tsx';
import { useActionOptions, useResourceOptions } from './use-options.ts';

const RESULTS = { any: undefined, succeeded: true, refused: false } as const;
type Result = keyof typeof RESULTS;

const textOf = (text: string): string | undefined => text.trim() || undefined;

interface Props {
  readonly search: AuditSearch;
  /** Names of the listed users and resources, by ID. */
  readonly names: ReadonlyMap<string, string>;
}

/** The form of the filters. They are applied by changing the address, and the list follows it. */
export function AuditFilters({ search, names }: Props) {
  const { audit } = useAdminMessages().admin.operations;
  const navigate = useNavigate();
  const [action, setAction] = useState(search.action_type ?? '');
  const [resourceType, setResourceType] = useState(search.resource_type ?? '');
  const [resource, setResource] = useState<Chosen>({ id: search.resource_id ?? '', text: null });
  const [user, setUser] = useState<Chosen>({ id: search.user_id ?? '', text: null });
  const [result, setResult] = useState<Result>(search.success === undefined ? 'any' : search.success ? 'succeeded' : 'refused');
  const [from, setFrom] = useState(localTime(search.start_time));
  const [until, setUntil] = useState(localTime(search.end_time));
  const actions = useActionOptions(action);
  const resources = useResourceOptions(resourceType);

  const [isChecked, setChecked] = useState(false);
  const isWrong = isReversed(secondsOf(from), secondsOf(until));
  /** On phones the form is closed at first. */
  const [isOpen, setOpen] = useState(false);

  const apply = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isWrong) return;
    void navigate({
      to: '/admin/audit',
      search: {
        action_type: textOf(action),
        resource_type: textOf(resourceType),
        resource_id: textOf(resource.id),
        user_id: textOf(user.id),
        success: RESULTS[result],
        start_time: secondsOf(from),
        end_time: secondsOf(until),
        noise: search.noise,
      },
    });
  };
  const isFiltered = Object.entries(search).some(([name, value]) => name !== 'token' && name !== 'noise' && value !== undefined);

  return (
    <>
      <Button className="sm:hidden" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <ListFilter aria-hidden className="size-4" />
        {audit.filters}
      </Button>
      <form
        aria-label={audit.filters}
        onSubmit={apply}
        className={`grid grid-cols-4 items-start gap-3 max-lg:grid-cols-2 max-sm:grid-cols-1 ${isOpen ? '' : 'max-sm:hidden'}`}
      >
        <Select label={audit.action} value={action} onChange={setAction} options={actions} />
        <Select
          label={audit.resourceType}
          value={resourceType}
          onChange={(type) => {
            setResourceType(type);
            setResource({ id: '', text: null });
          }}
          options={resources}
        />
        <ResourceField type={resourceType} chosen={resource} onChange={setResource} names={names} />
        <ActorField chosen={user} onChange={setUser} names={names} />
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
        <TextField
          label={audit.until}
          type="datetime-local"
          value={until}
          onChange={setUntil}
          error={isChecked && isWrong ? audit.untilBeforeFrom : undefined}
        />
        <div className="flex flex-wrap gap-2 self-end">
          <Button type="submit" look="primary">
            {audit.apply}
          </Button>
          {isFiltered && (
            <Button onPress={() => void navigate({ to: '/admin/audit', search: { noise: search.noise } })}>{audit.clear}</Button>
          )}
        </div>
      </form>
      <Switch
        isSelected={search.noise === true}
        onChange={(noise) => void navigate({ to: '/admin/audit', search: { ...search, token: undefined, noise: noise || undefined } })}
      >
        {audit.showNoise}
      </Switch>
    </>
  );
}
