/** A chat as lists, menus and dialogs need it. */
export interface ListedChat {
  readonly id: string;
  readonly title: string;
  readonly isPinned: boolean;
  readonly projectId: string | null;
  /** False if the memory is turned off for it. */
  readonly hasMemory: boolean;
}

interface Summary {
  readonly conversation_id: string;
  readonly title: string;
  readonly pinned: boolean;
  readonly project_id: string | null;
  readonly memory: boolean;
}

/** `untitled`: shown for a chat without a title. */
export const listed = (
  { conversation_id: id, title, pinned: isPinned, project_id: projectId, memory: hasMemory }: Summary,
  untitled: string,
): ListedChat => ({
  id,
  title: title || untitled,
  isPinned,
  projectId,
  hasMemory,
});

/** The type of data of a dragged chat, which is its ID. */
export const DRAGGED_CHAT = 'application/x-parlance-chat';
