import type { ReactNode } from "react";

/** A page with a single card. */
export function SingleCardPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex max-w-[480px] flex-col gap-4 p-4 pt-[14vh]">
      <p className="text-small text-dim">Signalbox</p>
      <h1 className="text-title font-semibold">{title}</h1>
      {children}
    </main>
  );
}
