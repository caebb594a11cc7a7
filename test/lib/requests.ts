// requests.ts
//    The request bodies of the providers, by the types of their own SDKs, which
//    they make from the descriptions of their interfaces that they publish
//    (OpenAI's from its OpenAPI document).  Ollama's SDK is written by hand, but
//    by Ollama.  schemas.mjs makes JSON Schemas of them.
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Content, GenerationConfig, SafetySetting, Tool, ToolConfig } from '@google/genai';
import type { ChatRequest } from 'ollama';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions/completions';

export type openai = ChatCompletionCreateParams;
export type anthropic = MessageCreateParams;
export type ollama = ChatRequest;

// The SDK spreads a body over arguments of its own; the body is made of these.
export interface gemini {
	contents: Content[];
	systemInstruction?: Content;
	tools?: Tool[];
	toolConfig?: ToolConfig;
	safetySettings?: SafetySetting[];
	generationConfig?: GenerationConfig;
	cachedContent?: string;
}
