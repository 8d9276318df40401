/** A chat as lists, menus and dialogs need it. */
export interface ListedChat {
  readonly id: string;
  readonly title: string;
  readonly isPinned: boolean;
  readonly projectId: string | null;
}

interface Summary {
  readonly conversation_id: string;
  readonly title: string;
  readonly pinned: boolean;
  readonly project_id: string | null;
}

/** `untitled`: shown for a chat without a title. */
export const listed = ({ conversation_id: id, title, pinned: isPinned, project_id: projectId }: Summary, untitled: string): ListedChat => ({
  id,
  title: title || untitled,
  isPinned,
  projectId,
});

/** The type of data of a dragged chat, which is its ID. */
export const DRAGGED_CHAT = 'application/x-parlance-chat';
