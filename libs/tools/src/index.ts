export { Calculator } from './builtin/calculator.ts';
export { InternetSearch } from './builtin/internet-search.ts';
export { Tool, ToolSource } from './tool.ts';
export type { ListedTool, ToolContext, ToolDefinition, ToolResult, ToolUser } from './tool.ts';
