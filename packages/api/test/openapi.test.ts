import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describeApi } from "@signalbox/api";
import { apiErrors, routeEntries, apiTags } from "@signalbox/api/routes";
import { writeReference } from "../../../scripts/api-reference/reference.ts";

setDefaultTimeout(180_000);

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly description?: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}
interface Schema {
  readonly description?: string;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = describeApi("0.1.0") as unknown as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const { schemas } = document.components;

describe("the OpenAPI description", () => {
  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    // The validator resolves references in place, so it gets a copy.
    const result = await validator.validate(structuredClone(describeApi("0.1.0")));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  test("names and describes every operation once", () => {
    expect(operations).toHaveLength(routeEntries.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const operation of operations) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.tags.every((tag) => Object.hasOwn(apiTags, tag))).toBe(true);
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description).toMatch(/\.$/);
      for (const { name, description = "" } of operation.parameters) {
        expect({ name, isDescribed: description !== "" }).toEqual({ name, isDescribed: true });
      }
      const statuses = Object.keys(operation.responses).map(Number);
      expect(statuses.some((status) => status < 300)).toBe(true);
      expect(statuses).toContain(500);
    }
  });

  test("refers only to existing schemas and has no unused ones", () => {
    const found = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    const referred = new Set([...found].map(([, name = ""]) => name));
    expect([...referred].toSorted()).toEqual(Object.keys(schemas).toSorted());
  });

  test("describes every frame of both sockets, and every order", () => {
    for (const union of ["ClientFrame", "HubFrame", "FrameToHub", "FrameToRunner", "Order"]) {
      const frames = schemas[union]?.oneOf ?? [];
      expect(frames.length).toBeGreaterThan(3);
      const bare = frames.filter(({ description }) => description === undefined);
      const names = bare.map(
        ({ properties = {} }) => (properties["type"] ?? properties["kind"])?.const,
      );
      expect({ union, names }).toEqual({ union, names: [] });
    }
  });

  test("describes every error", () => {
    for (const [code, { meaning }] of Object.entries(apiErrors)) {
      expect(code).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
      expect(meaning).toMatch(/^[A-Z`].*\.$/);
    }
  });
});

test("docs/api.md is what `npm run docs:api` writes", () => {
  const path = join(import.meta.dir, "../../../docs/api.md");
  expect(readFileSync(path, "utf8") === writeReference()).toBe(true);
});
