# Two stages: "build" makes the virtual environment, the last one is what runs. How to use it: docs/container.md
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
# A package index near you: docker compose build --build-arg PIP_INDEX_URL=https://...
ARG PIP_INDEX_URL
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /app
RUN python -m venv --without-pip /venv
# The dependencies, in a step that runs again only when these two files change. No extras, hence no torch.
# Bytecode is made here, for nothing can be written later; it is not compared with the sources, which do not change.
COPY pyproject.toml constraints.txt ./
# Unless named: --build-arg EXTRAS="milvus postgres"
ARG EXTRAS
RUN python -c 'import os, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
extras = [line for name in os.environ.get("EXTRAS", "").split() for line in project["optional-dependencies"][name]]; \
print(*project["dependencies"], *extras, sep="\n")' \
        > /tmp/requirements.txt \
 && python -m pip --python /venv/bin/python install --no-compile -c constraints.txt -r /tmp/requirements.txt \
 && python -m compileall -q -j 0 --invalidation-mode unchecked-hash /venv/lib
# Youju as in a checkout: Chainlit finds public/, .chainlit/ and chainlit*.md beside app/.
# Importing Chainlit's configuration writes the translations it would otherwise write when it starts.
COPY . .
RUN python -m pip --python /venv/bin/python install --no-compile --no-deps -e . \
 && /venv/bin/python -c 'import chainlit.config' \
 && python -m compileall -q --invalidation-mode unchecked-hash /app /venv/lib/python3.*/site-packages/__editable__*.py

FROM ${BASE}
# OpenCV, which reads scans, wants these two. LibreOffice for DOC, XLS, PPT, RTF and ODF: --build-arg OFFICE=1
ARG OFFICE
RUN apt-get update -q \
 && apt-get install -y -q --no-install-recommends libgl1 libglib2.0-0 \
        ${OFFICE:+libreoffice-writer libreoffice-calc libreoffice-impress fonts-noto-cjk} \
 && rm -rf /var/lib/apt/lists/*
# The base comes without bytecode of the standard library.
RUN python -m compileall -q -j 0 --invalidation-mode unchecked-hash \
        -x '/(site-packages|ensurepip|idlelib|lib2to3|tkinter|turtledemo)/' \
        "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" \
 && useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin youju \
 && install -d -o youju -g youju -m 700 /data
COPY --from=build /venv /venv
COPY --from=build /app /app
ENV PATH=/venv/bin:$PATH LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 YOUJU_HOME=/data
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 8000
# Without a proxy even where one is set for the container.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "from urllib.request import ProxyHandler, build_opener; build_opener(ProxyHandler({})).open('http://127.0.0.1:8000/health', timeout=4)"]
# Listens for others, so it wants a user first: youju users add NAME
CMD ["youju", "serve", "--host", "0.0.0.0", "--port", "8000"]
