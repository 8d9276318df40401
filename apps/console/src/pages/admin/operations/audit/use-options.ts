import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import type { Option } from '../../../../ui/fields/index.ts';

/** The options of a filter, sorted by name, after "any". `chosen` comes from the URL and may be a value of a newer release. */
function useOptions(ids: readonly string[], chosen: string, nameOf: (id: string) => string): readonly Option[] {
  const { audit } = useAdminMessages().admin.operations;
  const all = chosen === '' || ids.includes(chosen) ? ids : [...ids, chosen];
  const options = all.map((id) => ({ id, name: nameOf(id) }));
  return [{ id: '', name: audit.any }, ...options.toSorted((one, other) => one.name.localeCompare(other.name))];
}

export function useActionOptions(chosen: string): readonly Option[] {
  const { audit } = useAdminMessages().admin.operations;
  return useOptions(Object.keys(audit.actions), chosen, audit.actionName);
}

export function useResourceOptions(chosen: string): readonly Option[] {
  const { resourceTypes } = useAdminMessages().admin.operations.audit;
  return useOptions(Object.keys(resourceTypes), chosen, (id) => resourceTypes[id] ?? id);
}
