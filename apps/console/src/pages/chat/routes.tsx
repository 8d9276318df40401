import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/root-route.tsx';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** `bot`: the bot to chat with. `project`: the project in which the chat begins. `ask`: a question for the field. It is not sent automatically, because any site may link to it. */
const startOf = ({
  bot,
  ask,
  model,
  project,
}: Record<string, unknown>): { bot?: string; ask?: string; model?: string; project?: string } => ({
  bot: textOf(bot),
  ask: textOf(ask),
  model: textOf(model),
  project: textOf(project),
});

export const chatRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/',
    validateSearch: startOf,
    component: lazyPage(() => import('./new-chat-page.tsx'), 'NewChatPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/c/$conversationId',
    /** `message`: where the chat is opened. */
    validateSearch: ({ message }): { message?: string } => ({ message: textOf(message) }),
    component: lazyPage(() => import('./chat-page.tsx'), 'ChatPage'),
  }),
] as const;
