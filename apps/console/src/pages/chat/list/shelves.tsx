import type { ConversationPage } from '@parlance/client/types';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useProjectMessages } from '../../../messages/project-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { useMe } from '../../../session/use-me.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { SidebarBots } from '../../bots/shelf/sidebar-bots.tsx';
import { pinnedQuery, projectsQuery } from '../../projects/project-queries.ts';
import { ChatRow } from './chat-row.tsx';
import { keptChats } from './kept-chats.ts';
import { listed } from './listed-chat.ts';
import { MoreChats } from './more-chats.tsx';
import { ProjectGroup } from './project-group.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const NewProjectDialog = lazyPart(() => import('../../projects/new-project-dialog.tsx'), 'NewProjectDialog');

interface Props {
  /** All chats of the user. Null if there are more than are loaded: then the pinned ones are read by themselves. */
  readonly chats: ConversationPage['conversations'] | null;
}

/** The user's bots, the pinned chats and the projects, above the other chats. Loaded after them. */
export function Shelves({ chats }: Props) {
  const { chat } = useMessages();
  const texts = useProjectMessages();
  const { user_id: userId } = useMe();
  const pinned = useInfiniteQuery({ ...pinnedQuery, enabled: chats === null });
  const projects = useQuery(projectsQuery);
  const [isCreating, setCreating] = useState(false);
  useEffect(() => {
    // If the server does not answer, the chats stay in the browser, and the next visit tries again.
    if (keptChats(localStorage, userId).length > 0)
      void import('./move-kept-chats.ts').then(({ moveKept }) => moveKept(userId)).catch(() => undefined);
  }, [userId]);
  const pins = chats?.filter((each) => each.pinned) ?? pinned.data?.pages.flatMap(({ conversations }) => conversations) ?? [];
  return (
    <>
      <SidebarBots />
      {pins.length > 0 && (
        <section>
          <h2 className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{chat.pinned}</h2>
          <ul className="flex flex-col gap-0.5">
            {pins.map((each) => (
              <ChatRow key={each.conversation_id} chat={listed(each, chat.untitled)} />
            ))}
          </ul>
          {chats === null && <MoreChats query={pinned} />}
        </section>
      )}
      <section>
        <div className="flex items-center">
          <h2 className="grow px-2.5 text-xs font-medium text-muted">{texts.projects}</h2>
          <IconButton label={texts.create} onPress={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
          </IconButton>
        </div>
        {projects.error !== null && projects.data === undefined && <ErrorNote error={projects.error} />}
        <ul className="flex flex-col gap-0.5">
          {projects.data?.map((project) => (
            <ProjectGroup key={project.project_id} project={project} />
          ))}
        </ul>
      </section>
      {isCreating && (
        <Suspense>
          <NewProjectDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}
