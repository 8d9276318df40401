interface Message {
  readonly name: string;
  readonly summary?: string;
  readonly payload?: { readonly allOf?: readonly { readonly properties?: { readonly data?: { readonly properties?: Fields } } }[] };
}

type Fields = Readonly<Record<string, { readonly description?: string; readonly type?: string | readonly string[] }>>;

export interface EventType {
  readonly name: string;
  readonly summary: string;
  readonly fields: Fields;
}

/** The types of events in an AsyncAPI document. */
export function typesIn(document: object): readonly EventType[] {
  const { components } = document as { readonly components?: { readonly messages?: Readonly<Record<string, Message>> } };
  return Object.values(components?.messages ?? {}).map(({ name, summary = '', payload }) => ({
    name,
    summary,
    fields: payload?.allOf?.find(({ properties }) => properties?.data)?.properties?.data?.properties ?? {},
  }));
}

/** `parlance.bots.bot-created.v1`, by the service `bots`. */
export const groupsOf = (types: readonly EventType[]): ReadonlyMap<string, readonly EventType[]> =>
  Map.groupBy(types, ({ name }) => name.split('.')[1] ?? '');

export function matching(types: readonly EventType[], text: string): readonly EventType[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return types.filter(({ name, summary }) => words.every((word) => `${name} ${summary}`.toLowerCase().includes(word)));
}
