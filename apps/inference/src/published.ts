import { BotTools } from './http/published/mcp/bot-tools.ts';
import { McpServing } from './http/published/mcp/mcp-server.ts';
import { PublishedMcpController } from './http/published/mcp/mcp.controller.ts';
import { ChatCompletionsController } from './http/published/openai/chat-completions.controller.ts';
import { PublishedModelsController } from './http/published/openai/models.controller.ts';
import { OpenAiReplies } from './http/published/openai/openai-replies.ts';
import { ResponsesController } from './http/published/openai/responses.controller.ts';
import { PredictController } from './http/published/predict.controller.ts';
import { PublishedConversationController } from './http/published/published-conversation.controller.ts';
import { PublishedReplies } from './http/published/published-replies.ts';

/** The parts of the module that serve published APIs. */
export const publishedApis = {
  controllers: [
    PublishedConversationController,
    PredictController,
    ChatCompletionsController,
    ResponsesController,
    PublishedModelsController,
    PublishedMcpController,
  ],
  providers: [PublishedReplies, OpenAiReplies, BotTools, McpServing],
};
