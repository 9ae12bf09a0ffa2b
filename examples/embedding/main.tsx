import { connect, type HubClient } from "@signalbox/client";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { pairPage, readDevice } from "./device.ts";
import { SessionPanel } from "./session-panel.tsx";

const slides = ["Why we are here", "What we have built", "What comes next"];

function Slides({ client, session }: { client: HubClient; session: string }) {
  const [selected, select] = useState(0);
  const title = slides[selected] ?? "";
  const data = { view: "slides", selection: { slide: selected + 1, element: "h2", text: title } };
  return (
    <div className="page">
      <section className="slides" aria-label="Slides">
        {slides.map((slide, at) => (
          <button
            key={slide}
            type="button"
            className="slide"
            aria-pressed={at === selected}
            onClick={() => select(at)}
          >
            <h2>{slide}</h2>
          </button>
        ))}
      </section>
      <aside className="session" aria-label="Agent">
        <SessionPanel
          client={client}
          session={session}
          context={{ title: `Slide ${selected + 1}`, data }}
        />
      </aside>
    </div>
  );
}

function Pairing({ hub, onPaired }: { hub: string; onPaired: () => void }) {
  const [problem, setProblem] = useState("");
  const pair = async (form: FormData) => {
    const code = form.get("code");
    try {
      await pairPage(hub, typeof code === "string" ? code : "");
      onPaired();
    } catch (failure) {
      setProblem(String(failure));
    }
  };
  return (
    <form className="pair" action={pair}>
      <label htmlFor="code">Pairing code of {hub}, for a driver</label>
      <input id="code" name="code" autoComplete="off" />
      <button type="submit">Pair this page</button>
      <p role="alert">{problem}</p>
    </form>
  );
}

/** `?hub=http://localhost:8765&session=ID`: the session that is shown, and the hub it runs at. */
async function start(element: HTMLElement): Promise<void> {
  const address = new URLSearchParams(location.search);
  const hub = address.get("hub") ?? "http://localhost:8765";
  const device = await readDevice(hub);
  const shown = device ? (
    <Slides client={connect({ url: hub, device })} session={address.get("session") ?? ""} />
  ) : (
    <Pairing hub={hub} onPaired={() => location.reload()} />
  );
  createRoot(element).render(<StrictMode>{shown}</StrictMode>);
}

const root = document.getElementById("root");
if (root) await start(root);
