/** What an event says about objects that a backup must have. */
export type ObjectNaming =
  /**
   * The object is stored until an event releases it, or until the key of `subject` is destroyed. A key that ends with a slash is a folder with at
   * least one object.
   */
  | { readonly type: 'named'; readonly key: string; readonly subject?: string }
  /** From this event on, all objects whose keys begin with the prefix may be removed. */
  | { readonly type: 'released'; readonly prefix: string };

/** The objects that an event of a service names or releases. Events of other types than the service knows have none. */
export type ObjectNames = (stream: string, event: { readonly type: string }) => readonly ObjectNaming[];

export const named = (key: string, subject?: string): ObjectNaming => ({ type: 'named', key, ...(subject !== undefined && { subject }) });
export const released = (prefix: string): ObjectNaming => ({ type: 'released', prefix });
